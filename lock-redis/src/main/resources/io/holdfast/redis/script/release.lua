-- Removes a request from its queue, wherever it stands. If it was the head, the next request becomes
-- the head. The request is found by its id, so a release cannot remove the request of another holder.
--
-- ARGV[4]  name
-- ARGV[5]  request
-- Returns "FREED", "HANDED_ON", "WAS_WAITING" or "NOTHING".

identify()
write_though_full()
local lock = read(ARGV[4])
local at = position(lock.queue, ARGV[5])
if not at then
  return 'NOTHING'
end
if at == 1 then
  remove_head(lock)
  return lock.queue == '' and 'FREED' or 'HANDED_ON'
end
local last = string.find(lock.queue, ';', at, true)
redis.call('HSET', lock_key(lock.name), 'queue',
  string.sub(lock.queue, 1, at - 1) .. string.sub(lock.queue, last + 1))
return 'WAS_WAITING'
