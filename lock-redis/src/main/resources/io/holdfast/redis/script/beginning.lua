-- Finds out whether the server is the incarnation on record. It defines no function: most grabs end
-- in their short way, before the server has defined what only the others need.

local known = call('HMGET', namespace, 'protocol', 'incarnation', 'life', 'guard', 'floor', 'replid',
  'durable')
if known[1] and known[1] ~= PROTOCOL then
  return redis.error_reply('HOLDFASTPROTOCOL ' .. known[1])
end
local stamp = call('TIME')
-- Before September 2001 the seconds have fewer digits: a machine without a battery begins in 1970.
local now_text = sub('000000000' .. stamp[1], -10) .. sub('00000' .. stamp[2], -6)

-- A master chooses its replication id at random when it starts and when it is promoted, and takes that
-- of its master when it is demoted. So a master that has the id on record is still the incarnation on
-- record. It may also choose a new one for reasons of its own; then identify() looks closely.
local replication = call('INFO', 'replication')
local is_master = find(replication, 'role:master', 1, true)
local is_known_incarnation = is_master and known[6]
  and find(replication, 'master_replid:' .. known[6], 1, true)

-- Whether the process that the client asked about its disk writes every change before it answers, if
-- it is this one. A server with replicas does not count as durable: after a restart the new master
-- may be one of the replicas.
local may_be_durable = ARGV[2] == '1' and find(replication, 'connected_slaves:0\r', 1, true)
  and find(call('INFO', 'persistence'), 'aof_enabled:1', 1, true)

if is_known_incarnation and known[7] == '1' then
  is_known_incarnation = may_be_durable and sub(known[2], 1, #ARGV[1]) == ARGV[1]
end

