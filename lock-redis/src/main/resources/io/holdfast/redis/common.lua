-- What every script begins with.
--
-- A lock is a queue, and its head holds it. The queue lies in the lock's record as one text, so
-- every step on it is one change of one key:
--
--   queue = entry*                                        the first one holds
--   entry = "!" request "," mode "," process "," why "," payload ";"
--
-- A request begins with its session's 32 digits. All keys lie in the hash slot of KEYS[1]:
--
--   …namespace   hash        the settings; incarnation, began, life, guard, floor, durable
--   …session:ID  hash        life, ttl, renewed, incarnation, channel, process, notices
--   …lock:NAME   hash        number, since, revoked, queue
--   …held        sorted set  names of locks that are held, in the order of their bytes
--   …free        sorted set  names of free records, by the time since when
--
-- Times are microseconds of this server's clock. Lua counts exactly up to 2^53, the year 2255.
--
-- KEYS[1]  …namespace
-- ARGV[1]  the process of the server that was asked about its disk, or ""
-- ARGV[2]  "1" if that one writes every change to its disk before it answers
-- ARGV[3]  "1" if replicas have to acknowledge the answer
-- ARGV[4]  and those after it: the script's own

local PROTOCOL = '1'
local SESSION_DIGITS = 32
-- Keys of sessions expire only to clean up: long after anybody could have ended them.
local EXPIRY_MILLIS = 2 * 24 * 60 * 60 * 1000

local namespace = KEYS[1]
local base = string.sub(namespace, 1, -string.len('namespace') - 1)
local stamp = redis.call('TIME')
local now = stamp[1] * 1000000 + stamp[2]

local known = redis.call('HMGET', namespace, 'protocol', 'incarnation', 'life', 'guard', 'floor',
  'maxttl', 'step', 'durable', 'began')
if known[1] and known[1] ~= PROTOCOL then
  return redis.error_reply('HOLDFASTPROTOCOL ' .. known[1])
end
local incarnation = known[2]
local life = known[3]
local guard = tonumber(known[4] or 0)
local floor = tonumber(known[5] or 0)
local maxttl = tonumber(known[6] or 0)
local step = tonumber(known[7] or 0)
local began = tonumber(known[9] or 0)

local function text(number)
  return string.format('%.0f', number)
end

local function info(section)
  return redis.call('INFO', section)
end

local function field(about, name)
  return string.match(about, '[\r\n]' .. name .. ':([^\r\n]*)') or ''
end

-- When its memory is full, Redis refuses a script at its first write if that may need some, and lets
-- it do whatever it likes after a first write that needs none, as this one, which changes nothing.
-- What helps those who hold or wait, or makes room, must go on then: it begins its writes so. What
-- asks for more, as opening a session and a grab, is refused.
local function write_though_full()
  -- Of a key that is there: one that is not is another node's while its slot moves.
  redis.call('HDEL', namespace, 'none')
end

-- An incarnation is one process of the server, up to its promotion if it was a replica before. It
-- is told by the id that the data had before the promotion, which the server forgets after a while.
local function process_of_server()
  return field(info('server'), 'run_id')
end

local function identity()
  local former = field(info('replication'), 'master_replid2')
  local process = process_of_server()
  return string.find(former, '[1-9a-f]') and process .. '/' .. former or process
end

local function is_same(recorded, found)
  return recorded == found or string.sub(recorded, 1, string.len(found) + 1) == found .. '/'
end

-- Whether a plain restart loses nothing that was answered. Where there are replicas, nobody knows
-- whether it is one of them that was started as the new master.
local function is_durable()
  return ARGV[2] == '1' and ARGV[1] == process_of_server()
    and field(info('persistence'), 'aof_enabled') == '1'
    and field(info('replication'), 'connected_slaves') == '0'
end

-- Finds out which incarnation this is. Every script does so by itself: a connection may have been
-- led to another server by a proxy, and its client would not notice. Another one than on record may
-- have lost grants whose holders believe in them: all sessions of before are over, and nobody is
-- granted anything until their leases have run out. That nothing is lost has to have been so for the
-- whole of the incarnation before.
local function identify()
  local found = identity()
  if not incarnation then
    return found
  end
  local durable = known[8] == '1'
  local same = is_same(incarnation, found)
  if same and durable and not is_durable() then
    write_though_full()
    redis.call('HSET', namespace, 'durable', '0')
  end
  if same then
    return incarnation
  end
  local still_durable = is_durable()
  local loses_nothing = durable and still_durable and not string.find(found, '/', 1, true)
  incarnation = found
  began = now
  write_though_full()
  redis.call('HSET', namespace, 'incarnation', found, 'began', text(now),
    'durable', still_durable and '1' or '0')
  if not loses_nothing then
    life = found
    guard = math.max(guard, now + maxttl + step)
    redis.call('HSET', namespace, 'life', life, 'guard', text(guard))
  end
  return incarnation
end

-- How long nobody is granted anything any more. A guard that lasts for longer than any could begin
-- now was written by a clock that was set back since.
local function guard_left()
  local longest = maxttl + step
  if guard > now + longest then
    guard = now + longest
    redis.pcall('HSET', namespace, 'guard', text(guard))
  end
  return math.max(0, guard - now)
end

-- WAIT waits for the last change of its connection: there has to be one.
local function require_change()
  if ARGV[3] == '1' and incarnation then
    redis.call('HSET', namespace, 'asked', text(now))
  end
end

local function session_of(request)
  return string.sub(request, 1, SESSION_DIGITS)
end

local function session_key(session)
  return base .. 'session:' .. session
end

local function lives(session)
  return life and redis.call('HGET', session_key(session), 'life') == life
end

-- Gives a session a whole TTL from now on.
local function stamp_session(session, ttl)
  local key = session_key(session)
  redis.call('HSET', key, 'renewed', text(now), 'incarnation', incarnation)
  redis.call('PEXPIRE', key, text(math.ceil(ttl / 1000) + EXPIRY_MILLIS))
end

-- Judges a session, and the request of it that was revoked at a time unless that is 0; tells also
-- how long until a live one is judged otherwise, if nobody renews it.
local function liveness(session, revoked)
  local found = redis.call('HMGET', session_key(session), 'life', 'ttl', 'renewed', 'incarnation')
  if not life or found[1] ~= life then
    return 'ENDED'
  end
  local lease = tonumber(found[2]) + step
  local renewed = tonumber(found[3])
  if revoked ~= 0 and revoked + lease <= now then
    return 'REVOCATION_DUE'
  end
  if found[4] ~= incarnation or renewed > now or renewed + lease <= now then
    return 'LAPSED'
  end
  local first = revoked ~= 0 and math.min(revoked, renewed) or renewed
  return 'LIVE', text(first + lease - now)
end

local function lock_key(name)
  return base .. 'lock:' .. name
end

-- Reads a record. A revocation in the future is given the present time by whoever sees it: the clock
-- was set back since, and it would be due an hour late, not a TTL. One of before this incarnation was
-- written by a clock that may have been another: it counts from when this one began, if that is not in
-- the future for the same reason.
local function read(name)
  local found = redis.call('HMGET', lock_key(name), 'number', 'since', 'revoked', 'queue')
  local revoked = tonumber(found[3] or 0)
  if revoked > now then
    revoked = now
    redis.pcall('HSET', lock_key(name), 'revoked', text(now))
  elseif revoked ~= 0 and began <= now then
    revoked = math.max(revoked, began)
  end
  return {
    name = name,
    number = tonumber(found[1] or 0),
    since = tonumber(found[2] or 0),
    revoked = revoked,
    queue = found[4] or '',
    exists = found[1] and true,
  }
end

local function mark(request)
  return '!' .. request .. ','
end

-- Where in a queue a request stands: 1 if it holds, nil if it is not there.
local function position(queue, request)
  return (string.find(queue, mark(request), 1, true))
end

local function head(queue)
  return string.match(queue, '^!([^,]+),')
end

local function without_head(queue)
  return string.sub(queue, string.find(queue, ';', 1, true) + 1)
end

-- Puts a queue in place that has another head than before, or none. A number is above every earlier
-- one of this lock, also if the clock was set back or the record deleted.
local function crown(lock, queue)
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

-- Lets the head leave, and tells the next one. A hint that fails must not fail the change.
local function pass_on(lock)
  crown(lock, without_head(lock.queue))
  if lock.queue ~= '' then
    local session = session_of(head(lock.queue))
    local channel = redis.call('HGET', session_key(session), 'channel')
    if channel then
      redis.pcall('PUBLISH', channel, session .. lock.name)
    end
  end
end

local function record(lock)
  local first = head(lock.queue)
  local state, due = '', ''
  if first then
    state, due = liveness(session_of(first), lock.revoked)
  end
  return {lock.name, text(lock.number), text(lock.since), text(lock.revoked), lock.queue, state,
    due or ''}
end

-- How many wait.
local function waiting(queue)
  local _, count = string.gsub(queue, ';', ';')
  return math.max(0, count - 1)
end

local function holding(word, lock)
  return {word, text(lock.number), text(lock.since), text(waiting(lock.queue))}
end

-- How a request stands that is not granted by this step.
local function standing(lock, request)
  local at = position(lock.queue, request)
  if at == 1 then
    return holding('granted', lock)
  end
  return at and {'queued'}
end

