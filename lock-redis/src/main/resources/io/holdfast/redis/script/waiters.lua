-- Returns entries that wait behind another, in their order, without payloads; nothing if that one does
-- not wait.
--
-- ARGV[4]  name
-- ARGV[5]  the request that waits
-- ARGV[6]  how many at most

identify()
local lock = read(ARGV[4], UNTOUCHED)
if standing(lock, ARGV[5]) ~= 'waits' then
  return false
end
return entries_from(lock, call('ZRANK', lock.queue, ARGV[5]) + 1, tonumber(ARGV[6]))
