/** Constant: large, so it is loaded at first use. */
let longOnes: Promise<Set<string>> | undefined

/** Whether attackers would try this password first.  */
export async function isCommonPassword(password: string): Promise<boolean> {
  longOnes ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].filter((common) => common.length >= 10)),
  )
  return (await longOnes).has(password.toLowerCase())
}
