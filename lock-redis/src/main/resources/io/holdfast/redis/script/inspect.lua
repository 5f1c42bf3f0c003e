-- ARGV[4]  name
-- Returns {name, number, since, holders, waiters}: of each holder entry, liveness, how long it stands
-- or "", and what is left of its stay or ""; of each waiter its entry without a payload. Nothing if
-- the lock is free.

identify()
local lock = read(ARGV[4])
return lock.exists and full_record(lock)
