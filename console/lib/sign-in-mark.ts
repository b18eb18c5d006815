const key = 'sign-in'

/** Marks that a sign-in with the code host was started in this tab. Links to the console cannot set it. */
export const markSignIn = () => sessionStorage.setItem(key, 'started')

/** Returns whether this tab started a sign-in, and removes the mark. */
export function consumeSignInMark(): boolean {
  const isMarked = sessionStorage.getItem(key) !== null
  sessionStorage.removeItem(key)
  return isMarked
}
