-- Makes a session. An id is used once: one that is there is not touched.
--
-- ARGV[4]  session
-- ARGV[5]  ttl
-- ARGV[6]  channel of its hints
-- ARGV[7]  process
-- Returns {when it was renewed, eviction policy}; {"", eviction policy} if locks could be evicted, and
-- then no session was made; {} if the id was used; nothing without a namespace.

identify()
require_change()
if not incarnation then
  return false
end
local key = session_key(ARGV[4])
if redis.call('EXISTS', key) == 1 then
  return {}
end
local policy = field(info('memory'), 'maxmemory_policy')
if string.lower(policy) ~= 'noeviction' then
  return {'', policy}
end
redis.call('HSET', key, 'life', life, 'ttl', ARGV[5], 'channel', ARGV[6], 'process', ARGV[7],
  'notices', '')
stamp_session(ARGV[4], tonumber(ARGV[5]))
return {text(now), policy}
