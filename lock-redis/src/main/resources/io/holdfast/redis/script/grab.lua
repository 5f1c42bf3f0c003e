-- Makes the request the head of an empty queue, or appends it to a queue. A repetition changes
-- nothing: a request is in a queue once. A request of a session that is over does not join.
--
-- ARGV[4]  name
-- ARGV[5]  request
-- ARGV[6]  entry
-- ARGV[7]  the greatest length of the queue in bytes if the request waits, or 0 if it does not wait
-- ARGV[8]  the greatest number of waiters
-- ARGV[9]  "1" if this client observes the restart guard
-- Returns {"over"}, {"granted", number, since, how many wait}, {"queued"}, {"delayed", for how
-- long}, {"full", "waiters" or "length"}, or {"refused", the record …}.

identify()
require_change()
if not is_alive(session_of(ARGV[5])) then
  return {'over'}
end
local lock = read(ARGV[4])
local stands = standing(lock, ARGV[5])
if stands then
  return stands
end
local delay = ARGV[9] == '1' and guard_left() or 0
if delay > 0 then
  return {'delayed', text(delay)}
end
if lock.queue == '' then
  write_queue_with_new_head(lock, ARGV[6])
  return standing(lock, ARGV[5])
end
if ARGV[7] ~= '0' then
  if waiting(lock.queue) >= tonumber(ARGV[8]) then
    return {'full', 'waiters'}
  end
  if string.len(lock.queue) + string.len(ARGV[6]) > tonumber(ARGV[7]) then
    return {'full', 'length'}
  end
  redis.call('HSET', lock_key(lock.name), 'queue', lock.queue .. ARGV[6])
  return {'queued'}
end
return {'refused', unpack(record(lock))}
