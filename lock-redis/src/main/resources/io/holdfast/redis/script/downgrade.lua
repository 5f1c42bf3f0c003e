-- Turns the exclusive grant of a request into a shared one under a new number, and lets the shared
-- requests in that wait before the first exclusive one. A repetition changes nothing.
--
-- ARGV[4]  name
-- ARGV[5]  request
-- Returns the number of the shared grant, or "" if the request does not hold the lock.

identify()
write_though_full()
local lock = read(ARGV[4], UNTOUCHED)
if standing(lock, ARGV[5]) ~= 'holds' then
  return ''
end
if not is_shared(lock) then
  begin(lock, 's' .. sub(lock.entry, 2))
  let_in(lock)
  write(lock)
end
return text(lock.number)
