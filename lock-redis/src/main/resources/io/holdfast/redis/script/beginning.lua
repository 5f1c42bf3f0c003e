-- The beginning of every script. Script.java puts this file first, then the short way of the script if
-- it has one (grab_free.lua, release_last.lua), then common.lua, then the script. Most grabs and
-- releases end in their short way, before the server has defined what only the others need.
--
-- A lock is a queue, and its head holds it. The queue lies in the lock's record as one text, so
-- every change of the queue is one change of one key:
--
--   queue = entry*                                        the first request holds
--   entry = "!" request "," mode "," process "," why "," payload ";"
--
-- A request begins with its session's 32 digits. All keys lie in the hash slot of KEYS[1]:
--
--   …namespace   hash        the settings; incarnation, replid, began, life, guard, floor, durable
--   …session:ID  hash        life, ttl, renewed, incarnation, channel, process, notices
--   …lock:NAME   hash        number, since, revoked, queue
--   …held        sorted set  names of locks that are held, in the order of their bytes
--   …free        sorted set  names of free records, by the time since which they are free
--
-- The field "life" names the incarnation whose sessions count. An incarnation that may have lost
-- grants writes its own id there, and so ends all sessions opened before it. One that lost nothing
-- leaves the field as it is. The variable for it is session_incarnation.
--
-- The field "replid" is the replication id that the server had when it was last found to be the
-- incarnation on record.
--
-- Times are microseconds of this server's clock. Lua counts exactly up to 2^53, the year 2255.
--
-- KEYS[1]  …namespace
-- ARGV[1]  run_id of the server process that the client asked about its disk, or ""
-- ARGV[2]  "1" if that process writes every change to its disk before it answers
-- ARGV[3]  "1" if replicas have to acknowledge the answer
-- The arguments of the script itself follow, from ARGV[4] on. ServerConnection and ApplicationClient
-- put these three in front of them.

local PROTOCOL = '1'
local SESSION_DIGITS = 32

local namespace = KEYS[1]
local base = string.sub(namespace, 1, -string.len('namespace') - 1)
local stamp = redis.call('TIME')
local now = stamp[1] * 1000000 + stamp[2]

local known = redis.call('HMGET', namespace, 'protocol', 'incarnation', 'life', 'guard', 'floor',
  'maxttl', 'step', 'durable', 'began', 'replid')
if known[1] and known[1] ~= PROTOCOL then
  return redis.error_reply('HOLDFASTPROTOCOL ' .. known[1])
end
local incarnation = known[2]
local session_incarnation = known[3]
local guard = tonumber(known[4] or 0)
local floor = tonumber(known[5] or 0)
local maxttl = tonumber(known[6] or 0)
local step = tonumber(known[7] or 0)
local began = tonumber(known[9] or 0)

-- A master chooses its replication id at random when it starts and when it is promoted, and takes that
-- of its master when it is demoted. So a master that has the id on record is still the incarnation on
-- record. It may also choose a new one for reasons of its own; then identify() looks closely.
local replication = redis.call('INFO', 'replication')
local replid = string.match(replication, 'master_replid:(%x+)')
local is_master = string.find(replication, 'role:master', 1, true) ~= nil

-- Whether the process that the client asked about its disk writes every change before it answers, if
-- it is this one. A server with replicas does not count as durable: after a restart the new master
-- may be one of the replicas.
local function may_be_durable()
  return ARGV[2] == '1' and string.find(replication, 'connected_slaves:0\r', 1, true)
    and string.find(redis.call('INFO', 'persistence'), 'aof_enabled:1', 1, true)
end

local is_known_incarnation = incarnation and replid and replid == known[10] and is_master
  and (known[8] ~= '1'
    or string.sub(incarnation, 1, string.len(ARGV[1])) == ARGV[1] and may_be_durable())

local function text(number)
  return string.format('%.0f', number)
end

local function session_of(request)
  return string.sub(request, 1, SESSION_DIGITS)
end

local function session_key(session)
  return base .. 'session:' .. session
end

local function is_alive(session)
  return session_incarnation
    and redis.call('HGET', session_key(session), 'life') == session_incarnation
end

local function lock_key(name)
  return base .. 'lock:' .. name
end

local function mark(request)
  return '!' .. request .. ','
end

-- Writes a queue that has a new head, or none. The new number is greater than every earlier number of
-- this lock, also if the clock was set back or the record was deleted.
local function write_queue_with_new_head(lock, queue)
  if queue == '' then
    redis.call('ZREM', base .. 'held', lock.name)
    redis.call('ZADD', base .. 'free', text(now), lock.name)
  else
    redis.call('ZADD', base .. 'held', 0, lock.name)
    redis.call('ZREM', base .. 'free', lock.name)
    lock.number = math.max(now, lock.number + 1, floor + 1)
  end
  lock.since, lock.revoked, lock.queue = now, 0, queue
  redis.call('HSET', lock_key(lock.name), 'number', text(lock.number), 'since', text(now),
    'revoked', '0', 'queue', queue)
end

-- The fields of a lock that say whether anybody holds it: its number and its queue.
local function number_and_queue(name)
  return unpack(redis.call('HMGET', lock_key(name), 'number', 'queue'))
end

