const key = 'sign-in'

/** Marks that somebody started the sign-in of the code host in this tab. Links to the console cannot set it. */
export const markSignIn = () => sessionStorage.setItem(key, 'started')

/** Whether this tab started a sign-in; the mark is used up. */
export function takeSignInMark(): boolean {
  const isMarked = sessionStorage.getItem(key) !== null
  sessionStorage.removeItem(key)
  return isMarked
}
