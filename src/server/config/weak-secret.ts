/** As long as 16 random bytes in hexadecimal, which is 128 bits. */
const shortest = 32
/** Of 32 random digits fewer are different once in ten million times. */
const fewestDifferent = 6
/** Of random digits, which are the likeliest to do so, so many follow their neighbor hardly ever. */
const mostInOrder = 0.75

/**
 * What people write instead of chance. Each has six characters at least, not all of which are
 * hexadecimal digits, and is looked for in one case: of a million random secrets in Base64, less
 * than one is rejected for it, and of those in hexadecimal none.
 */
const words =
  /[Ss]ecret|SECRET|[Pp]asswo|PASSWORD|[Pp]assphrase|[Cc]hange|CHANGE|[Pp]lease|PLEASE|[Pp]roduction|PRODUCTION|[Ee]xample|EXAMPLE|[Cc]orrect|[Bb]attery|qwerty|QWERTY|qwertz|azerty|asdfgh|ASDFGH|zxcvbn/

/** Whether somebody could guess a secret: it is short, or made by a pattern instead of by chance. */
export const isWeakSecret = (secret: string): boolean =>
  secret.length < shortest ||
  new Set(secret).size < fewestDifferent ||
  repeatsItself(secret) ||
  words.test(secret) ||
  countsUp(secret)

/** Whether it is a part of at most half its length, again and again. */
export function repeatsItself(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period += 1) {
    if (text.slice(period) === text.slice(0, -period)) return true
  }
  return false
}

/** Whether most characters are the one before, or the next to it in the alphabet. */
function countsUp(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0)
  const inOrder = codes.filter((code, place) => Math.abs(code - (codes[place - 1] ?? -2)) <= 1)
  return inOrder.length >= (codes.length - 1) * mostInOrder
}
