import { afterEach, describe, expect, it, vi } from 'vitest'
import { parseSettings } from './local-settings.ts'

const defaults = {
  show_ip_addresses: false,
  log_timestamps: true,
  log_wrap: false,
  notify_deployments: false,
}

describe('parseSettings', () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  afterEach(() => log.mockClear())

  it('masks addresses by default', () => {
    expect(parseSettings(null)).toEqual(defaults)
    expect(log).not.toHaveBeenCalled()
  })

  it('reads stored settings', () => {
    expect(parseSettings('{"show_ip_addresses":true}')).toEqual({ ...defaults, show_ip_addresses: true })
    expect(parseSettings('{"log_wrap":true,"log_timestamps":false}')).toEqual({
      ...defaults,
      log_timestamps: false,
      log_wrap: true,
    })
  })

  it('uses the default for a missing or mistyped setting', () => {
    expect(parseSettings('{}')).toEqual(defaults)
    expect(parseSettings('{"show_ip_addresses":"yes"}')).toEqual(defaults)
  })

  it.each(['{', 'null', '7', ''])('logs %j and uses the defaults', (text) => {
    expect(parseSettings(text)).toEqual(defaults)
    expect(log).toHaveBeenCalledOnce()
  })
})
