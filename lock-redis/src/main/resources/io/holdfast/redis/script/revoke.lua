-- Revokes the observed grant. First marks the session, so that every renewal tells the holder, then
-- the record. If a grant is revoked several times, the first mark counts.
--
-- ARGV[4]  name
-- ARGV[5]  number of the observed head
-- ARGV[6]  request of the observed head
-- ARGV[7]  "SAFELY" or "NOW"
-- ARGV[8]  "1" if this client observes the restart guard
-- Returns {"changed"}, {"freed"}, or {"marked", how long until it is due}.

identify()
write_though_full()
local lock = read(ARGV[4])
if head(lock.queue) ~= ARGV[6] or text(lock.number) ~= ARGV[5] then
  return {'changed'}
end
local session = session_of(ARGV[6])
local alive = is_alive(session)
if alive then
  local notices = redis.call('HGET', session_key(session), 'notices')
  if not string.find(notices, ARGV[6] .. ';', 1, true) then
    redis.call('HSET', session_key(session), 'notices', notices .. ARGV[6] .. ';')
  end
end
if ARGV[7] == 'NOW' then
  remove_head(lock)
  return {'freed'}
end
if lock.revoked == 0 then
  lock.revoked = now
  redis.call('HSET', lock_key(lock.name), 'revoked', text(now))
end
local left = 0
if alive then
  local lease = redis.call('HGET', session_key(session), 'ttl') + step
  left = math.max(0, lock.revoked + lease - now)
end
-- During the restart guard all earlier sessions are over, but their holders may still believe.
if ARGV[8] == '1' then
  left = math.max(left, guard_left())
end
if left == 0 then
  remove_head(lock)
  return {'freed'}
end
return {'marked', text(left)}
