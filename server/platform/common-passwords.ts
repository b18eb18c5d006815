let longOnes: Promise<Set<string>> | undefined

/** Whether it is one of those that are tried first. The list is read when it is first asked for. */
export async function isCommonPassword(password: string): Promise<boolean> {
  longOnes ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].filter((common) => common.length >= 10)),
  )
  return (await longOnes).has(password.toLowerCase())
}
