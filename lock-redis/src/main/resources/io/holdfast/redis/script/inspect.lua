-- ARGV[4]  name
-- Returns the record, or nothing if there is none.

identify()
local lock = read(ARGV[4])
return lock.exists and record(lock)
