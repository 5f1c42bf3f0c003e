-- Makes the request the holder of a free lock, or one more holder of a shared one for which none waits,
-- or appends it to the queue. A repetition changes nothing: a request is in a queue once. A request of
-- a session that is over does not join.
--
-- ARGV[4]  name
-- ARGV[5]  request
-- ARGV[6]  entry
-- ARGV[7]  "1" if the request waits
-- ARGV[8]  the greatest number of waiters
-- ARGV[9]  "1" if this client observes the restart guard
-- Returns {"over"}, {"granted", number, since, "1" if others wait}, {"queued"}, {"delayed", for how
-- long}, {"full"}, or {"refused", the record …}.

-- A hint for those who hold the lock, as others wait for it from now on.
local function tell_holders(lock)
  local found = holders(lock, JUDGED_MAX)
  for i = 1, #found, 2 do
    local session = session_of(found[i])
    tell(lock, session, call('HGET', session_key(session), 'channel'))
  end
end

identify()
require_change()
if not is_alive(session_of(ARGV[5])) then
  return {'over'}
end
local lock = read(ARGV[4], UNTOUCHED)
local answer = stands(lock, ARGV[5])
if answer then
  return answer
end
if standing(lock, '~' .. ARGV[5]) then
  return refused(lock)
end
local delay = ARGV[9] == '1' and guard_left() or 0
if delay > 0 then
  return {'delayed', text(delay)}
end
if not lock.exists then
  take_free(lock, ARGV[6])
  return holding('granted', lock)
end

local waiters = waiting(lock)
local joins = waiters == 0 and sub(ARGV[6], 1, 1) == 's' and may_be_joined(lock)
if not joins and ARGV[7] ~= '1' then
  return refused(lock)
end
if not joins and waiters >= tonumber(ARGV[8]) then
  return {'full'}
end
if not lock.has_queue and call('EXISTS', lock.queue, lock.entries) > 0 then
  -- The rest of a record that was deleted by hand counts for nothing. Not deleted unseen: after any
  -- first write that needs no memory, a full server takes the rest.
  call('DEL', lock.queue, lock.entries)
end
local last = call('ZRANGE', lock.queue, -1, -1, 'WITHSCORES')[2]
local position = text(math.max(lock.head, tonumber(last or 0)) + 1)
call('ZADD', lock.queue, position, ARGV[5])
call('HSET', lock.entries, ARGV[5], ARGV[6])
if joins then
  call('SETRANGE', lock.key, 0, '1' .. position)
  return {'granted', text(lock.number), text(lock.since), '0'}
end
if waiters == 0 then
  call('SETRANGE', lock.key, 0, '1')
  tell_holders(lock)
end
return {'queued'}
