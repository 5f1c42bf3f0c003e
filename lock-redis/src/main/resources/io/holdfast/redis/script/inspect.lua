-- ARGV[4]  name
-- ARGV[5]  how many waiters at most
-- Returns {name, number, since, holders, waiters, how many wait}: of each holder entry, liveness, how
-- long it stands or "", and the rest of its stay or ""; of each waiter its entry without a payload.
-- Nothing if the lock is free.

identify()
local lock = read(ARGV[4], UNTOUCHED)
return lock.exists and full_record(lock, tonumber(ARGV[5]))
