const key = 'celebrated'
const most = 100

const read = () => (localStorage.getItem(key) ?? '').split(' ').filter(Boolean)

/** Returns whether the first release of an application was already celebrated in this browser. */
export const wasCelebrated = (applicationId: string) => read().includes(applicationId)

export function keepCelebrated(applicationId: string) {
  const others = read().filter((id) => id !== applicationId)
  localStorage.setItem(key, [...others, applicationId].slice(-most).join(' '))
}
