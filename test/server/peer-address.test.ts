import { expect, test } from 'vitest'
import { peerAddress } from '../../src/server/pipeline/peer-address.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:0DB8:0001:2:3:4:5:6', '2001:db8:1:2'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['fe80:0:0:0::2%eth1', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
  ['', ''],
  ['no:address', 'no:address'],
])('requests from %s are counted for %s', (address, counted) => {
  expect(peerAddress(address)).toBe(counted)
})

test('of a text that is no address only the beginning counts', () => {
  expect(peerAddress('x'.repeat(1000))).toHaveLength(64)
  expect(peerAddress(`${'1:'.repeat(1000)}`)).toHaveLength(64)
})
