-- Revokes the observed grant. First marks the session, so that every renewal tells the holder, then
-- the entry. If a grant is revoked several times, the stay that ends first counts, and the notice that
-- ends first: these may be of two revocations, since each leaves a whole TTL. A lock-delay is used up,
-- unless the holder has notice. A holder to which no session belongs is removed at once.
--
-- ARGV[4]  name
-- ARGV[5]  number of the observed holder
-- ARGV[6]  request of the observed holder
-- ARGV[7]  how long the holder may still hold the lock: its notice. "NOW" if it is removed at once
-- ARGV[8]  "1" if this client observes the restart guard
-- Returns {"changed"}, {"freed"}, or {"marked", how long until it is due}.

identify()
write_though_full()
local lock = read(ARGV[4], UNTOUCHED)
local name = lock.number == tonumber(ARGV[5]) and name_of_holder(lock, ARGV[6])
if not name then
  return {'changed'}
end
local entry = entry_of(lock, name)
local kind = kind_of(entry)
if kind == 'a' or kind == 'd' then
  remove(lock, name)
  return {'freed'}
end

local key = session_key(session_of(name))
local found = call('HMGET', key, 'life', 'ttl', 'notices')
local alive = life and found[1] == life
local notice = tonumber(ARGV[7]) or 0
local guarded_for = ARGV[8] == '1' and guard_left() or 0
if not alive and notice > 0 and delay_of(entry) > 0 then
  -- It is left to the next overtake, which begins the lock-delay.
  return {'marked', text(guarded_for)}
end
local left = stay_left(lock, name, entry)
local stay = math.max(notice, alive and tonumber(found[2]) or 0) + step
local ends_first = ARGV[7] == 'NOW' or not left or stay < left
if alive then
  local notices = found[3]
  local begins, ends = find_notice(notices, name)
  local told = ends_first and notice or math.min(notice, math.max(0, left - step))
  if not begins or told < notice_left(sub(notices, begins, ends)) then
    local entry_told = name .. ',' .. now_text .. ',' .. text(told) .. ';'
    call('HSET', key, 'notices', begins
      and sub(notices, 1, begins - 1) .. entry_told .. sub(notices, ends + 1)
      or notices .. entry_told)
  end
end
if ARGV[7] == 'NOW' then
  remove(lock, name)
  return {'freed'}
end
local revoked = entry_of(lock, name)
if ends_first then
  left = stay
  revoked = with_stay(revoked, 'r', stay)
end
if notice == 0 then
  revoked = without_delay(revoked)
end
replace(lock, name, revoked)
-- During the restart guard all earlier sessions are over, but their holders may still believe.
left = math.max(alive and left or 0, guarded_for)
if left == 0 then
  remove(lock, name)
  return {'freed'}
end
return {'marked', text(left)}
