import { afterEach, describe, expect, it, vi } from 'vitest'
import { parseSettings } from './settings.ts'

describe('parseSettings', () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  afterEach(() => log.mockClear())

  it('hides addresses when nothing is stored', () => {
    expect(parseSettings(null)).toEqual({ show_ip_addresses: false })
    expect(log).not.toHaveBeenCalled()
  })

  it('reads what was stored', () => {
    expect(parseSettings('{"show_ip_addresses":true}')).toEqual({ show_ip_addresses: true })
  })

  it('keeps the default of a setting that is missing or of another kind', () => {
    expect(parseSettings('{}')).toEqual({ show_ip_addresses: false })
    expect(parseSettings('{"show_ip_addresses":"yes"}')).toEqual({ show_ip_addresses: false })
  })

  it.each(['{', 'null', '7', ''])('logs %j and keeps the defaults', (text) => {
    expect(parseSettings(text)).toEqual({ show_ip_addresses: false })
    expect(log).toHaveBeenCalledOnce()
  })
})
