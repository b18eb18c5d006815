/** Hands a file to the browser's downloads. */
export function saveFile(content: Blob, name: string) {
  const url = URL.createObjectURL(content)
  openFile(url, name)
  URL.revokeObjectURL(url)
}

/** Has the browser download what lies at an address, under the name that the server or the caller gives it. */
export function openFile(url: string, name = '') {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
