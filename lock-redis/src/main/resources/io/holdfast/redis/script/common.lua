-- Shared by all scripts but the short ways: the incarnation, the restart guard and sessions.

-- Keys of sessions expire only to clean up, long after any client could have ended the session.
local EXPIRY_MILLIS = 2 * 24 * 60 * 60 * 1000

local incarnation = known[2]
local life = known[3]
local now = tonumber(now_text)
local guard = tonumber(known[4] or 0)
local floor = tonumber(known[5] or 0)
local maxttl, step, began = unpack(call('HMGET', namespace, 'maxttl', 'step', 'began'))
maxttl, step, began = tonumber(maxttl or 0), tonumber(step or 0), tonumber(began or 0)

local function text(number)
  return string.format('%016.0f', number)
end

local function info(section)
  return call('INFO', section)
end

local function field(about, name)
  return string.match(about, '[\r\n]' .. name .. ':([^\r\n]*)') or ''
end

-- When its memory is full, Redis refuses a script at its first write if that write may need memory.
-- After a first write that needs none, it allows all further writes. This HDEL is such a write: it
-- changes nothing. Scripts that serve holders and waiters or that free memory call this function
-- before their first write, so they work on a full server. Scripts that need more memory (opening a
-- session, a grab) do not call it, so they are refused.
local function write_though_full()
  -- The key must exist: while its slot moves, a key that does not exist belongs to another node.
  call('HDEL', namespace, 'none')
end

-- A stay that began under an earlier incarnation counts from the beginning of this one, see
-- stay_left(). If that is in the future because the clock was set back, it is the present time
-- instead.
if began > now then
  began = now
  redis.pcall('HSET', namespace, 'began', now_text)
end

-- An incarnation is one process of the server; if the server was a replica, its promotion begins a
-- new one. The replication id from before the promotion (master_replid2) tells a promoted server
-- apart. The server forgets that id after a while.
local function process_of_server()
  return field(info('server'), 'run_id')
end

local function identity()
  local former = field(replication, 'master_replid2')
  local process = process_of_server()
  return find(former, '[1-9a-f]') and process .. '/' .. former or process
end

-- Without these two all servers look like the same incarnation.
local function shows_identity()
  return find(process_of_server(), '[1-9a-f]')
    and find(field(replication, 'master_replid'), '[1-9a-f]')
end

local function is_same(recorded, found)
  return recorded == found or sub(recorded, 1, #found + 1) == found .. '/'
end

-- Whether a plain restart loses nothing that was answered.
local function is_durable()
  return may_be_durable and ARGV[1] == process_of_server()
end

-- Saves later scripts the closer look. Where it cannot be written, they take that look.
local function remember_replid()
  local replid = field(replication, 'master_replid')
  if is_master and replid ~= '' and replid ~= known[6] then
    redis.pcall('HSET', namespace, 'replid', replid)
  end
end

-- Finds out the present incarnation. Every script does this by itself, because a proxy may have led
-- the connection to another server unnoticed by the client. If the incarnation is not the one on
-- record, grants may be lost whose holders still believe in them. Then all earlier sessions are over,
-- and the restart guard delays every grant until their leases have run out. The exception is a plain
-- restart of a server that was durable during the whole of the earlier incarnation.
local function identify()
  if is_known_incarnation then
    return incarnation
  end
  local found = identity()
  if not incarnation then
    return found
  end
  local durable = known[7] == '1'
  local same = is_same(incarnation, found)
  if same and durable and not is_durable() then
    write_though_full()
    call('HSET', namespace, 'durable', '0')
  end
  if same then
    remember_replid()
    return incarnation
  end
  local still_durable = is_durable()
  local loses_nothing = durable and still_durable and not find(found, '/', 1, true)
  incarnation = found
  began = now
  write_though_full()
  call('HSET', namespace, 'incarnation', found, 'began', now_text,
    'durable', still_durable and '1' or '0')
  if not loses_nothing then
    life = text(math.max(now, life + 1))
    guard = math.max(guard, now + maxttl + step)
    call('HSET', namespace, 'life', life, 'guard', text(guard))
  end
  remember_replid()
  return incarnation
end

-- How much longer the restart guard delays every grant. A guard that ends later than one that begins
-- now was written before the clock was set back, so it is shortened.
local function guard_left()
  local longest = maxttl + step
  if guard > now + longest then
    guard = now + longest
    redis.pcall('HSET', namespace, 'guard', text(guard))
  end
  return math.max(0, guard - now)
end

-- WAIT waits for the last write of its connection, so the script must make one.
local function require_change()
  if ARGV[3] == '1' and incarnation then
    call('HSET', namespace, 'asked', now_text)
  end
end

local function session_of(request)
  return sub(request, 1, SESSION_DIGITS)
end

local function session_key(session)
  return base .. 'session:' .. session
end

local function is_alive(session)
  return life and call('HGET', session_key(session), 'life') == life
end

-- Gives a session a whole TTL from now on.
local function stamp_session(session, ttl)
  local key = session_key(session)
  call('HSET', key, 'renewed', now_text, 'incarnation', incarnation)
  call('PEXPIRE', key, string.format('%.0f', math.ceil(ttl / 1000) + EXPIRY_MILLIS))
end

-- A session's notices are request "," when it was revoked "," how long it may still hold ";" each.
local function find_notice(notices, request)
  return find(notices, string.gsub(request, '%-', '%%-') .. ',%d+,%d+;')
end

-- How long the holder may still hold by a notice. By another clock nothing is left for certain: the end
-- of the stay may be near.
local function notice_left(notice)
  local from, time = string.match(notice, ',(%d+),(%d+);$')
  from = tonumber(from)
  return from >= began and from <= now and math.max(0, from + time - now) or 0
end

-- Judges a session. For a live one it also returns how long the judgement stands if the session is not
-- renewed.
local function liveness(session)
  local found = call('HMGET', session_key(session), 'life', 'ttl', 'renewed', 'incarnation')
  if not life or found[1] ~= life then
    return 'ENDED'
  end
  local renewed = tonumber(found[3])
  local lapses = renewed + found[2] + step
  if found[4] ~= incarnation or renewed > now or lapses <= now then
    return 'LAPSED'
  end
  return 'LIVE', lapses - now
end

