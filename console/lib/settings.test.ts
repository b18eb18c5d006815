import { afterEach, describe, expect, it, vi } from 'vitest'
import { parseSettings } from './settings.ts'

const defaults = { show_ip_addresses: false, log_timestamps: true, log_wrap: false }

describe('parseSettings', () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  afterEach(() => log.mockClear())

  it('hides addresses when nothing is stored', () => {
    expect(parseSettings(null)).toEqual(defaults)
    expect(log).not.toHaveBeenCalled()
  })

  it('reads what was stored', () => {
    expect(parseSettings('{"show_ip_addresses":true}')).toEqual({ ...defaults, show_ip_addresses: true })
    expect(parseSettings('{"log_wrap":true,"log_timestamps":false}')).toEqual({
      ...defaults,
      log_timestamps: false,
      log_wrap: true,
    })
  })

  it('keeps the default of a setting that is missing or of another kind', () => {
    expect(parseSettings('{}')).toEqual(defaults)
    expect(parseSettings('{"show_ip_addresses":"yes"}')).toEqual(defaults)
  })

  it.each(['{', 'null', '7', ''])('logs %j and keeps the defaults', (text) => {
    expect(parseSettings(text)).toEqual(defaults)
    expect(log).toHaveBeenCalledOnce()
  })
})
