# Ends a process group when the tool that watches over it cannot. Reads from a pipe:
#   group N     the group, said by its first process before it does anything else
#   until T     when the lease ends, in hundredths of a second since the machine started
#   done        nothing is left to be ended
# and answers "group" with the number, which the tool may want to know.
# The pipe's end without "done" means that the tool has died, a lease that ended that it hangs.
# Lives in a session of its own, so that what is sent to the tool's group does not reach it.
# An answer that nobody reads any more must not end it either.
trap '' HUP INT QUIT PIPE TERM
group=
until=
while :; do
  left=100
  if [ -n "$until" ]; then
    read -r now _ </proc/uptime
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
      until) until=$value ;;
      done) exit 0 ;;
    esac
  elif [ $? -le 128 ]; then
    break
  fi
done
[ -z "$group" ] || kill -s KILL -- "-$group"
