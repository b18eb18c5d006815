/**
 * Whether Docker Compose can split a command into words: quotes, backticks and parentheses come in pairs. It reads only up
 * to the first sign of a shell, such as ; or |.
 */
export function isCommandLine(text: string): boolean {
  let open = ''
  let before = ''
  for (let index = 0; index < text.length; index++) {
    const sign = text.charAt(index)
    if (sign === '\\' && open !== "'") {
      if (++index === text.length) return false
    } else if (open === '') {
      if (/[;&|<>]/.test(sign)) return true
      if (/['"`]/.test(sign)) open = sign
      else if (sign === '(' && before !== '$') return false
      else if (/[()]/.test(sign)) open = '('
    } else if (sign === (open === '(' ? ')' : open)) open = ''
    before = sign
  }
  return open === ''
}
