-- Makes the request the head of an empty queue, or appends it to another. Repeated, it changes
-- nothing: a request is in a queue once. A session that is over joins no queue.
--
-- ARGV[4]  name
-- ARGV[5]  request
-- ARGV[6]  entry
-- ARGV[7]  how long the queue may become if the request wants to wait, or 0
-- ARGV[8]  "1" if the restart guard is heeded
-- Returns {"over"}, {"granted", number, since}, {"queued"}, {"delayed", for how long}, or
-- {"refused", the record …}.

require_incarnation()
require_change()
if not lives(session_of(ARGV[5])) then
  return {'over'}
end
local lock = read(ARGV[4])
local stands = standing(lock, ARGV[5])
if stands then
  return stands
end
if ARGV[8] == '1' and guard > now then
  return {'delayed', text(guard - now)}
end
if lock.queue == '' then
  crown(lock, ARGV[6])
  return standing(lock, ARGV[5])
end
if string.len(lock.queue) + string.len(ARGV[6]) <= tonumber(ARGV[7]) then
  redis.call('HSET', lock_key(lock.name), 'queue', lock.queue .. ARGV[6])
  return {'queued'}
end
return {'refused', unpack(record(lock))}
