-- The beginning of every script: the stored layout. Script.java says which files a script consists of.
--
-- A lock is a queue of requests. Of those that hold it, one stands in the lock's record, and all
-- others, holding or waiting, in a sorted set by their positions. So no step reads or writes more the
-- more requests wait, and each condition is decided on the record. All keys lie in the hash slot of
-- KEYS[1]:
--
--   …namespace     hash        the settings; incarnation, replid, began, life, guard, floor, durable
--   …session:ID    hash        life, ttl, renewed, incarnation, channel, process, notices
--   …lock:NAME     string      the record of a lock that is held; a free lock has none
--   …queue:NAME    sorted set  requests by their positions
--   …entries:NAME  hash        the entries of these requests
--   …held          sorted set  names of locks that are held, in the order of their bytes
--
--   record = flag head number since life entry
--     1       flag    "1" if the sorted set may not be empty, "0" if it is
--     2-17    head    positions up to this one hold the lock, the others wait
--     18-33   number  of the grant
--     34-49   since   when the number was given
--     50-65   life    in which the number was given
--     66-     entry   of the holder; none if it has left others that share the lock
--
--   entry = mode stay from for delay lengths request "," process why payload
--     1       mode    "x" or "s"
--     2       stay    "-" none, "r" revoked, "d" lock-delay, "a" at least
--     3-18    from    when the stay began
--     19-34   for     how long it is
--     35-50   delay   the lock-delay that is not used up, or 0
--     51-53   bytes of the process
--     54-57   bytes of the reason
--     58-     request, and the texts
--
-- A request begins with its session's 32 digits. One that was given back and stays (at least) belongs
-- to no session, and has "~" before it: so nothing that its client sends finds it.
--
-- The field "life" names the time of the server in which sessions count. An incarnation that may have
-- lost grants begins another life, and so ends all sessions opened before it. One that lost nothing
-- leaves the field as it is. The field "replid" is the replication id that the server had when it was
-- last found to be the incarnation on record.
--
-- Times are microseconds of this server's clock, in 16 digits, so that texts compare as numbers do.
-- Lua counts exactly up to 2^53, the year 2255.
--
-- KEYS[1]  …namespace
-- ARGV[1]  run_id of the server process that the client asked about its disk, or ""
-- ARGV[2]  "1" if that process writes every change to its disk before it answers
-- ARGV[3]  "1" if replicas have to acknowledge the answer
-- The arguments of the script itself follow, from ARGV[4] on. ServerConnection and ApplicationClient
-- put these three in front of them.

local PROTOCOL = '2'
local SESSION_DIGITS = 32
local NO_TIME = '0000000000000000'

local call, sub, find = redis.call, string.sub, string.find
local namespace = KEYS[1]
local base = sub(namespace, 1, -10)
