/** One address a line: `app.example.com`, `app.example.com/api`, or with `http://` before it for one without HTTPS. */
export const readDomains = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const rest = line.replace(/^https?:\/\//i, '')
      const slash = rest.indexOf('/')
      const host = slash < 0 ? rest : rest.slice(0, slash)
      return { host, path: slash < 0 ? '/' : rest.slice(slash), https: !/^http:\/\//i.test(line) }
    })
