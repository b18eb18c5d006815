// Filters the API reference and opens the endpoint that the URL names. The page works without it.
;(() => {
  const search = document.querySelector('input')
  const endpoints = [...document.querySelectorAll('details')]
  const sections = [...document.querySelectorAll('main > section')]
  const texts = new Map(
    endpoints.map((endpoint) => [endpoint, endpoint.querySelector('summary').textContent.toLowerCase()]),
  )

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    for (const endpoint of endpoints) {
      endpoint.hidden = !words.every((word) => texts.get(endpoint).includes(word))
    }
    for (const section of sections) {
      const shown = section.querySelector('details:not([hidden])') !== null
      section.hidden = words.length > 0 && !shown
    }
    document.getElementById('none').hidden = sections.some((section) => !section.hidden)
  }

  function openLinked() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (target instanceof HTMLDetailsElement) target.open = true
    // Results of a search must not hide what a link leads to.
    if (target && target.offsetParent === null) {
      search.value = ''
      filter()
      target.scrollIntoView()
    }
  }

  search.hidden = false
  search.addEventListener('input', filter)
  addEventListener('hashchange', openLinked)
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target === search) return
    event.preventDefault()
    search.focus()
  })
  // Opening an endpoint changes the URL, so that a link to the endpoint can be copied.
  for (const endpoint of endpoints) {
    endpoint.addEventListener('toggle', () => {
      if (endpoint.open) history.replaceState(null, '', `#${endpoint.id}`)
    })
  }
  openLinked()
})()
