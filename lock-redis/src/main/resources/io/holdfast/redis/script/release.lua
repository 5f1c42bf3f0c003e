-- Removes a request from its queue, wherever it stands. If it was the only holder, the next waiter holds
-- the lock. The request is found by its id, so a release cannot remove the request of another holder.
--
-- ARGV[4]  name
-- ARGV[5]  request
-- Returns "FREED", "HANDED_ON", "SHARED", "WAS_WAITING" or "NOTHING".

identify()
write_though_full()
return release(read(ARGV[4], UNTOUCHED), ARGV[5])
