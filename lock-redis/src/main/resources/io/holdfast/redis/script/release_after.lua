-- Gives a lock back so that it stays taken for a while: the request has another name from now on, and no
-- session. One that waits or was revoked is released. A repetition changes nothing.
--
-- ARGV[4]  name
-- ARGV[5]  request
-- ARGV[6]  how long it stays
-- Returns "STAYS", or the same as a release.

-- The first waiter is to learn when the stay ends.
local function tell_first(lock)
  local first = lock.has_queue
    and call('ZRANGEBYSCORE', lock.queue, '(' .. text(lock.head), '+inf', 'LIMIT', 0, 1) or {}
  if first[1] then
    local lives, session, channel = session_let_in(first[1])
    tell(lock, session, channel)
  end
end

identify()
write_though_full()
local lock = read(ARGV[4], UNTOUCHED)
if name_of_holder(lock, ARGV[5]) == '~' .. ARGV[5] then
  return 'STAYS'
end
if standing(lock, ARGV[5]) == 'holds' then
  local entry = entry_of(lock, ARGV[5])
  if kind_of(entry) ~= 'r' then
    local stays = without_delay(with_stay(entry, 'a', tonumber(ARGV[6])))
    replace(lock, ARGV[5], sub(stays, 1, 57) .. '~' .. sub(stays, 58))
    tell_first(lock)
    return 'STAYS'
  end
end
return release(lock, ARGV[5])
