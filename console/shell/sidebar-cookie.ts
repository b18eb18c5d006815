const name = 'sidebar_state'
const sevenDays = 7 * 86_400

export const sidebarCookie = (open: boolean) => `${name}=${open}; path=/; max-age=${sevenDays}; samesite=lax`

export const readSidebarCookie = (cookies: string) =>
  !cookies.split(';').some((cookie) => cookie.trim() === `${name}=false`)
