-- Removes the observed head if its session is over, or if it was revoked a whole TTL ago. The next
-- request in the queue becomes the head. The given request becomes the head only if none waits.
--
-- ARGV[4]  name
-- ARGV[5]  request
-- ARGV[6]  entry
-- ARGV[7]  number of the observed head
-- ARGV[8]  request of the observed head
-- ARGV[9]  "1" if this client observes the restart guard
-- Returns the same as a grab that does not wait.

identify()
write_though_full()
require_change()
if not is_alive(session_of(ARGV[5])) then
  return {'over'}
end
local lock = read(ARGV[4])
local delay = ARGV[9] == '1' and guard_left() or 0
local observed = head(lock.queue) == ARGV[8] and text(lock.number) == ARGV[7]
if observed and ARGV[8] ~= ARGV[5] and delay == 0 then
  local state = liveness(session_of(ARGV[8]), lock.revoked)
  if state == 'ENDED' or state == 'REVOCATION_DUE' then
    if without_head(lock.queue) == '' then
      write_queue_with_new_head(lock, ARGV[6])
    else
      remove_head(lock)
    end
  end
end
local stands = standing(lock, ARGV[5])
if stands then
  return stands
end
if delay > 0 then
  return {'delayed', text(delay)}
end
return {'refused', unpack(record(lock))}
