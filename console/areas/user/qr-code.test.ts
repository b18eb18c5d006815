import { expect, test } from 'vitest'
import { qrModules } from './qr-code.tsx'

test('draws a square that begins with a finder pattern', () => {
  const { size, path } = qrModules('otpauth://totp/Slipway:ada@example.com?secret=ABC&issuer=Slipway')
  expect((size - 17) % 4).toBe(0)
  expect(path.startsWith('M0 0h1v1h-1zM1 0h1v1h-1z')).toBe(true)
  expect(path).not.toContain('M7 0h')
})
