-- Revokes the observed grant. First its session is marked, so that its holder is told with every
-- renewal, then the record. The first mark of a grant counts.
--
-- ARGV[4]  name
-- ARGV[5]  number of the observed head
-- ARGV[6]  request of the observed head
-- ARGV[7]  "SAFELY" or "NOW"
-- Returns {"changed"}, {"freed"}, or {"marked", how long until it is due}.

require_incarnation()
local lock = read(ARGV[4])
if head(lock.queue) ~= ARGV[6] or text(lock.number) ~= ARGV[5] then
  return {'changed'}
end
local session = session_of(ARGV[6])
local alive = lives(session)
if alive then
  local notices = redis.call('HGET', session_key(session), 'notices')
  if not string.find(notices, ARGV[6] .. ';', 1, true) then
    redis.call('HSET', session_key(session), 'notices', notices .. ARGV[6] .. ';')
  end
end
if ARGV[7] == 'NOW' then
  pass_on(lock)
  return {'freed'}
end
if lock.revoked == 0 or lock.revoked > now then
  lock.revoked = now
  redis.call('HSET', lock_key(lock.name), 'revoked', text(now))
end
if not alive then
  return {'marked', '0'}
end
local lease = redis.call('HGET', session_key(session), 'ttl') + step
return {'marked', text(math.max(0, lock.revoked + lease - now))}
