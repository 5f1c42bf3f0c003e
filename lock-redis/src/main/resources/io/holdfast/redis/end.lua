-- Ends a session whose time has passed since a renewal of this incarnation. One that cannot be
-- judged, renewed in another incarnation or in the future, is given a whole TTL instead.
--
-- ARGV[4]  session
-- Returns "over" or "alive".

identify()
write_though_full()
local state = liveness(ARGV[4], 0)
if state == 'LIVE' then
  return 'alive'
end
local key = session_key(ARGV[4])
if state == 'LAPSED' then
  local found = redis.call('HMGET', key, 'ttl', 'renewed', 'incarnation')
  if found[3] ~= incarnation or tonumber(found[2]) > now then
    stamp_session(ARGV[4], tonumber(found[1]))
    return 'alive'
  end
end
redis.call('DEL', key)
return 'over'
