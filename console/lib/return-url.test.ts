import { expect, it } from 'vitest'
import { isDashboard } from './return-url.ts'

it.each(['/dashboard', '/dashboard/servers', '/dashboard?dialog=new-workspace', '/dashboard/x#y'])(
  '%s is a page to return to',
  (path) => {
    expect(isDashboard(path)).toBe(true)
  },
)

it.each(['/', '/login', '/dashboards', '//evil.example/dashboard', 'https://evil.example/dashboard'])(
  '%s is not',
  (path) => {
    expect(isDashboard(path)).toBe(false)
  },
)
