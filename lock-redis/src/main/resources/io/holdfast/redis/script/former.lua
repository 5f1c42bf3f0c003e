-- Lets the next file accept a namespace of version 1, which is to be retired.
local PRESENT = PROTOCOL
if call('HGET', namespace, 'protocol') == '1' then
  PROTOCOL = '1'
end

