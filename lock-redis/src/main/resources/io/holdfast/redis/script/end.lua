-- Ends a session that has lapsed. Only a renewal time of this incarnation that is not in the future can
-- be judged; a session with any other renewal time gets a whole TTL from now on instead.
--
-- ARGV[4]  session
-- Returns "over", "alive", or "absent" if it is not in this partition.

identify()
write_though_full()
local state = liveness(ARGV[4])
if state == 'LIVE' then
  return 'alive'
end
local key = session_key(ARGV[4])
if state == 'LAPSED' then
  local found = call('HMGET', key, 'ttl', 'renewed', 'incarnation')
  if found[3] ~= incarnation or tonumber(found[2]) > now then
    stamp_session(ARGV[4], tonumber(found[1]))
    return 'alive'
  end
end
return call('DEL', key) == 1 and 'over' or 'absent'
