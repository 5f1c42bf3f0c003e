-- Removes the observed holder if its session is over, or if it was revoked a whole TTL ago, or if its
-- stay is over. One whose session is over and that has a lock-delay begins to stay instead, once. If
-- none holds the lock then, the next waiter does. The given request gets the lock only if none waits.
--
-- ARGV[4]  name
-- ARGV[5]  request
-- ARGV[6]  entry
-- ARGV[7]  number of the observed holder
-- ARGV[8]  request of the observed holder
-- ARGV[9]  "1" if this client observes the restart guard
-- Returns the same as a grab that does not wait.

identify()
write_though_full()
require_change()
if not is_alive(session_of(ARGV[5])) then
  return {'over'}
end
local lock = read(ARGV[4], UNTOUCHED)
local delay = ARGV[9] == '1' and guard_left() or 0
if delay == 0 and lock.number == tonumber(ARGV[7]) and ARGV[8] ~= ARGV[5] then
  local name = name_of_holder(lock, ARGV[8])
  if name then
    overtake(lock, name, ARGV[6])
  end
end
local answer = stands(lock, ARGV[5])
if answer then
  return answer
end
if delay > 0 then
  return {'delayed', text(delay)}
end
return refused(lock)
