/** Words that the texts avoid, and what they say instead. */
interface Entry {
  avoid: RegExp
  instead: string
}

const entry = (words: string, instead: string): Entry => ({
  avoid: new RegExp(`(?<![\\w/-])(?:${words.replaceAll(' ', '\\s+')})(?![\\w-])`, 'gi'),
  instead,
})

/** Private words, figures of speech, words without an actor, and British spelling. */
export const vocabulary: readonly Entry[] = [
  entry('control surface', '"sandbox API"'),
  entry('verbs?', '"sandbox endpoint"'),
  entry('a world of your own|worlds?|default world', '"seed data" or "default data set"'),
  entry('refus(?:e|es|ed|al|als|ing)(?! connection)', '"reject" or "fail with"'),
  entry('whoever', 'who it is'),
  entry('all that', '"everything that", or name the things'),
  entry('anew', '"again"'),
  entry('keeps? nothing', '"store data in memory and discard it on exit"'),
  entry('what was tried to break it', '"reliability and security tests"'),
  entry('what it costs', '"performance", or the figure'),
  entry('lanes', '"connections" or "pool"'),
  entry('turns (?:of|for)', '"lock" or "queue"'),
  entry('believ(?:e|es|ed|able)|woken|mend(?:s|ed)?|forgets?|trouble', 'the literal word'),
  entry(
    'behaviours?|colours?|licences?|honou?red?|favou?r|centre|catalogue|misspelt|learnt|spelt|towards|whilst|\\w+isations?|(?:organ|recogn|serial|normal|optim|initial|author|summar)is(?:e|es|ed|ing)',
    'the American spelling',
  ),
]
