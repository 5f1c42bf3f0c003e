-- Renews a session that is alive, on no other condition. Never creates one.
--
-- ARGV[4]  session
-- Returns {ttl, now, eviction policy, request revoked, how long it may still hold, request, …}; nothing
-- if the session is over.

write_though_full()
identify()
require_change()
if not is_alive(ARGV[4]) then
  return false
end
local found = call('HMGET', session_key(ARGV[4]), 'ttl', 'notices')
stamp_session(ARGV[4], tonumber(found[1]))
local answer = {found[1], now_text, field(info('memory'), 'maxmemory_policy')}
for notice, request in string.gmatch(found[2], '(([^,;]+),%d+,%d+;)') do
  table.insert(answer, request)
  table.insert(answer, text(notice_left(notice)))
end
return answer
