import { expect, it } from 'vitest'
import { isDashboard } from './return-url.ts'

it.each(['/dashboard', '/dashboard/servers', '/dashboard?dialog=new-workspace', '/dashboard/x#y'])(
  'accepts %s as a return URL',
  (path) => {
    expect(isDashboard(path)).toBe(true)
  },
)

it.each(['/', '/login', '/dashboards', '//evil.example/dashboard', 'https://evil.example/dashboard'])(
  'rejects %s as a return URL',
  (path) => {
    expect(isDashboard(path)).toBe(false)
  },
)
