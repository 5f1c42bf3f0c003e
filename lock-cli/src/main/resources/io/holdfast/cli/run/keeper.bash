# Ends a process group when the tool that watches over it cannot. Reads from a pipe:
#   group N     the group, reported by its first process before it does anything else
#   unstarted   reported by the same process: it could not become the command
#   until T     when the lease ends, in hundredths of a second since the machine started
#   done        nothing is left to be ended
# and answers "group" with the number and "unstarted" with the word, for the tool.
# The end of the pipe without "done" means that the tool has died. The end of the lease means that
# the tool hangs.
# Runs in a session of its own, so that signals to the tool's group do not reach it.
# An answer without a reader must not end it either.
trap '' HUP INT QUIT PIPE TERM
group=
until=
while :; do
  left=100
  if [ -n "$until" ]; then
    # Not as standard input, not even for a moment: the first process of a group writes to that.
    read -r -u 3 now _ 3</proc/uptime
    left=$((until - 10#${now/./}))
    [ "$left" -gt 0 ] || break
    # At least once a second, because the timer of "read" stands still while the machine sleeps.
    [ "$left" -lt 100 ] || left=100
  fi
  printf -v pause '%d.%02d' $((left / 100)) $((left % 100))
  if read -r -t "$pause" word value; then
    case $word in
      group)
        group=$value
        echo "$group"
        ;;
      unstarted) echo unstarted ;;
      until) until=$value ;;
      done) exit 0 ;;
    esac
  elif [ $? -le 128 ]; then
    break
  fi
done
[ -z "$group" ] || kill -s KILL -- "-$group"
