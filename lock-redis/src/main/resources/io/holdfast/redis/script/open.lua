-- Creates a session. An id is used once: an existing session is not changed.
--
-- ARGV[4]  session
-- ARGV[5]  ttl
-- ARGV[6]  channel of its hints
-- ARGV[7]  process
-- Returns {time of the renewal, eviction policy}; {"", eviction policy} and creates no session if the
-- server may evict locks; {} if the id was used before; nothing if there is no namespace record.

identify()
require_change()
if not incarnation then
  return false
end
local key = session_key(ARGV[4])
if call('EXISTS', key) == 1 then
  return {}
end
local policy = field(info('memory'), 'maxmemory_policy')
if string.lower(policy) ~= 'noeviction' then
  return {'', policy}
end
call('HSET', key, 'life', life, 'ttl', ARGV[5], 'channel', ARGV[6],
  'process', ARGV[7], 'notices', '')
stamp_session(ARGV[4], tonumber(ARGV[5]))
return {now_text, policy}
