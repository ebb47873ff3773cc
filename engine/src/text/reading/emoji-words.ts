/** Emoji as the words that advertising uses them for. Skin tones and variants are folded first. */
const table = `
beer 🍺 🍻
wine 🍷
champagne 🥂 🍾
cocktail 🍸 🍹
whisky 🥃
sake 🍶
drink 🥤 🧉
coffee ☕
cigarette 🚬
pill 💊
injection 💉
medicine ⚕ 🩺
hospital 🏥
doctor 🧑‍⚕ 👨‍⚕ 👩‍⚕
money 💰 💸 🤑 💵 💶 💷 💴 🪙
card 💳
bank 🏦
growth 📈
loss 📉
rocket 🚀
moon 🌕 🌙
diamond 💎
bet 🎲 🎰 🃏
win 🏆 🥇
football ⚽
horse 🏇 🐎
gift 🎁
free 🆓
new 🆕
sale 🏷
fire 🔥
hurry ⏰ ⏳ ⌛ ⏱ 🏃
warning ⚠
alarm 🚨
stop 🛑 🚫 ⛔
yes ✅ ✔ ☑ 👍
no ❌ ✖ 👎
100 💯
star ⭐ 🌟 ★ ☆ ✨
love ❤ 💖 💕 😍 🥰 💙 💚
green 🌱 🌿 🍃 ♻ 🍀
tree 🌳 🌲 🌴
planet 🌍 🌎 🌏
car 🚗 🚙 🚘
plane ✈
baby 👶
child 🧒 👦 👧
school 🏫 🎒
toy 🧸
muscle 💪
scales ⚖
slim 👙
food 🍔 🍟 🍕 🍩 🍫 🍬 🍭 🍦
fruit 🍎 🍓 🍊 🍌
phone 📞 📱 ☎
mail 📧 ✉
link 🔗
click 👆 👉 👇
lock 🔒
house 🏠 🏡
key 🔑
party 🎉 🥳 🎊
drunk 🥴
laugh 😂 🤣
cry 😢 😭
angry 😡
brain 🧠
heart 🫀
tooth 🦷
bone 🦴
blood 🩸
`;

const emojiWords: ReadonlyMap<string, string> = new Map(
  table
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [word = "", ...emoji] = line.split(" ");
      return emoji.map((each) => [each, word] as const);
    }),
);

/** The word for an emoji, or the emoji itself where it has none. */
export function wordOfEmoji(emoji: string): string {
  const plain = emoji.replaceAll(/[\uFE0E\uFE0F]|\p{EMod}|\u200D[♂♀]/gu, "");
  return emojiWords.get(plain) ?? plain;
}
