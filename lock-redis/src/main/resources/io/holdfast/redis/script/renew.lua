-- Renews a session that is alive, on no other condition. Never creates one.
--
-- ARGV[4]  session
-- Returns {ttl, notices, now, eviction policy}; nothing if the session is over.

write_though_full()
identify()
require_change()
if not is_alive(ARGV[4]) then
  return false
end
local found = redis.call('HMGET', session_key(ARGV[4]), 'ttl', 'notices')
stamp_session(ARGV[4], tonumber(found[1]))
return {found[1], found[2], text(now), field(info('memory'), 'maxmemory_policy')}
