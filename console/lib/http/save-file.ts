export function saveFile(content: Blob, name: string) {
  const url = URL.createObjectURL(content)
  openFile(url, name)
  URL.revokeObjectURL(url)
}

/** Downloads a URL, with the name from the server or the caller. */
export function openFile(url: string, name = '') {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
