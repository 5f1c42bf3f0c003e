-- The short way of a release: the request holds the lock alone, and none waits. See release.lua for the
-- arguments and the answer. It asks for no incarnation: it takes away the request's own record, and
-- lets no request in.

do
  local key = base .. 'lock:' .. ARGV[4]
  local record = call('GET', key)
  local mine = ARGV[5] .. ','
  if record and sub(record, 1, 1) == '0' and sub(record, 123, 122 + #mine) == mine then
    local known = call('HMGET', namespace, 'protocol', 'floor')
    if known[1] == PROTOCOL then
      -- Its first write needs no memory: a full server does not refuse it.
      call('ZREM', base .. 'held', ARGV[4])
      local number = sub(record, 18, 33)
      if number > known[2] then
        call('HSET', namespace, 'floor', number)
      end
      call('DEL', key)
      return 'FREED'
    end
  end
end

