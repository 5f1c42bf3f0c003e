-- Lets the observed head leave if its session is over, or it was revoked a whole TTL ago. The next
-- in the queue is head then; the request only if nobody waits.
--
-- ARGV[4]  name
-- ARGV[5]  request
-- ARGV[6]  entry
-- ARGV[7]  number of the observed head
-- ARGV[8]  request of the observed head
-- ARGV[9]  "1" if the restart guard is heeded
-- Returns the same as a grab that does not want to wait.

identify()
write_though_full()
require_change()
if not lives(session_of(ARGV[5])) then
  return {'over'}
end
local lock = read(ARGV[4])
local delay = ARGV[9] == '1' and guard_left() or 0
local observed = head(lock.queue) == ARGV[8] and text(lock.number) == ARGV[7]
if observed and ARGV[8] ~= ARGV[5] and delay == 0 then
  local state = liveness(session_of(ARGV[8]), lock.revoked)
  if state == 'ENDED' or state == 'REVOCATION_DUE' then
    if without_head(lock.queue) == '' then
      crown(lock, ARGV[6])
    else
      pass_on(lock)
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
