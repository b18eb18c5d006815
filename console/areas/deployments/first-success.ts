const key = 'celebrated'
const most = 100

const read = () => (localStorage.getItem(key) ?? '').split(' ').filter(Boolean)

/** Returns whether this browser has already celebrated the first success of an application. */
export const wasCelebrated = (applicationId: string) => read().includes(applicationId)

export function keepCelebrated(applicationId: string) {
  const others = read().filter((id) => id !== applicationId)
  localStorage.setItem(key, [...others, applicationId].slice(-most).join(' '))
}
