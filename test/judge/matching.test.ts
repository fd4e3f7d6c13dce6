/** The grammar of the word files and the rules of exceptions and locales, on small files made here. */
import { describe, expect, it } from 'vitest';
import { Spelling } from '../../host/judge/accents.ts';
import { readWords } from '../../host/judge/label.ts';
import { matchWords } from '../../host/judge/match-words.ts';
import { standingHits } from '../../host/judge/standing-hits.ts';
import { parseWordFile } from '../../host/judge/word-file.ts';
import { compileWords, type Words, wordsOf } from '../../host/judge/words.ts';

type Lines = { entries: object[]; exceptions?: object[]; harmless?: object[] };

function compiled(...languages: [string, Lines][]): Words {
  const files = languages.map(([language, lines]) => {
    const text = JSON.stringify({ language, name: 'Made here', ...lines });
    return { file: `${language}.json`, words: parseWordFile(text, `${language}.json`, language) };
  });
  return wordsOf(compileWords(files));
}

const entry = (say: string, means = 'send', rest: object = {}) => ({
  say,
  class: means,
  why: 'made here',
  ...rest,
});
const except = (say: string, rest: object) => ({ say, why: 'made here', ...rest });

function hits(words: Words, text: string, locale: string | null = null): string[] {
  const label = readWords(text);
  const reading = { kind: 'plain', words: label, spelling: new Spelling(text) } as const;
  return standingHits(label, matchWords(words, reading), locale).map((hit) => `${hit.language}:${hit.match}`);
}

describe('an entry', () => {
  it.each([
    ['send', ['Send', 'SEND NOW', 'please send.', 'don’t-send'], ['sender', 'resend', 'sen d']],
    ['send*', ['sender', 'Sending it'], ['resend']],
    ['*send', ['resend', 'send'], ['sender']],
    ['*send*', ['resender'], ['sen']],
    ['log out', ['Log  out', 'log-out'], ['logout', 'log it out']],
    ['log * out', ['log me out'], ['log out', 'log me right out']],
    ['log … out', ['log out', 'log me right out now out'], ['log a b c d out']],
    ['send # files', ['Send 3 files'], ['send three files']],
    ["l'envoi", ["L'envoi", 'l’envoi'], ['envoi']],
    ['envoi', ["l'envoi", 'envoi'], ['envois']],
    ['löschen', ['Loschen', 'LÖSCHEN', 'lo\u0308schen'], ['loeschen']],
    ['iptal', ['İPTAL', 'IPTAL', 'ıptal'], []],
    ['ошиб*', ['ОШИБКА'], ['безошибочно']],
  ])('"%s" is met by %j and not by %j', (say, met, not) => {
    const words = compiled(['xx', { entries: [entry(say)] }]);
    expect(met.filter((text) => hits(words, text).length === 0)).toEqual([]);
    expect(not.filter((text) => hits(words, text).length > 0)).toEqual([]);
  });

  it.each([
    ['start', ['Call', 'Call Alex', '3 call'], ['Missed call']],
    ['end', ['Video call', 'Call'], ['Call Alex']],
    ['whole', ['Call', '📞 Call!', 'Call (3)'], ['Call Alex', 'Video call']],
  ])('at the %s of a label counts only there', (at, met, not) => {
    const words = compiled(['xx', { entries: [entry('call', 'call', { at })] }]);
    expect(met.filter((text) => hits(words, text).length === 0)).toEqual([]);
    expect(not.filter((text) => hits(words, text).length > 0)).toEqual([]);
  });

  it('of a language without spaces is met anywhere, spaces or not', () => {
    const words = compiled(['zh', { entries: [entry('删除')] }]);
    expect(hits(words, '立即删除帐户')).toHaveLength(1);
    expect(hits(words, '删 除')).toHaveLength(1);
    expect(hits(words, 'Photo删除')).toHaveLength(1);
  });
});

describe('an exception', () => {
  const words = compiled([
    'xx',
    {
      entries: [entry('send'), entry('delete', 'delete')],
      exceptions: [except("don't send", { of: 'send' }), except('never *', { of_class: ['send', 'delete'] })],
    },
  ]);

  it('removes the hit of its own entry where it overlaps, and nothing else', () => {
    expect(hits(words, "Don't send")).toEqual([]);
    expect(hits(words, "Don't send, delete")).toEqual(['xx:delete']);
    expect(hits(words, "Don't send now. Send")).toEqual(['xx:send']);
    expect(hits(words, "don't delete")).toEqual(['xx:delete']);
  });

  it('of a class leaves an entry alone that says its words and more', () => {
    const exact = compiled([
      'xx',
      {
        entries: [
          entry('checkout', 'pay'),
          entry('go to checkout', 'pay'),
          entry('se'),
          entry('share*'),
          entry('send'),
        ],
        exceptions: [except('go to *', { of_class: ['pay', 'send'] }), except('*nd', { of_class: 'send' })],
      },
    ]);
    expect(hits(exact, 'Go to checkout')).toEqual(['xx:go to checkout']);
    expect(hits(exact, 'Go to se')).toEqual([]);
    // The entry's star takes in what it does not say: that is still the exception's.
    expect(hits(exact, 'sharend')).toEqual([]);
    expect(hits(exact, 'send')).toEqual(['xx:send']);
  });

  it('may be of several classes', () => {
    expect(hits(words, 'never delete')).toEqual([]);
    expect(hits(words, 'never send')).toEqual([]);
  });
});

describe('accents', () => {
  const lines: Lines = {
    entries: [entry('đăng', 'post'), entry('xoá', 'delete'), entry('bán', 'pay'), entry('trả tiền', 'pay')],
    exceptions: [except('đang *', { of_class: 'post' }), except('đã *', { of_class: ['pay', 'delete'] })],
  };
  const vietnamese = compiled(['vi', lines]);
  const folding = compiled(['xx', lines]);

  it('tell words apart in Vietnamese, and nowhere else', () => {
    expect(hits(vietnamese, 'Đăng bài')).toEqual(['vi:dang']);
    expect(hits(vietnamese, 'ĐANG TẢI')).toEqual([]);
    expect(hits(vietnamese, 'Bạn bè')).toEqual([]);
    expect(hits(vietnamese, 'Trà tiên')).toEqual([]);
    expect(hits(folding, 'Bạn bè')).toEqual(['xx:ban']);
  });

  it('may stand on either vowel, in either form of writing them', () => {
    for (const text of ['Xoá', 'Xóa', 'Xóa'.normalize('NFD'), 'XOÁ tất cả']) {
      expect(hits(vietnamese, text), text).toEqual(['vi:xoa']);
    }
  });

  it('may be left out of an act, not out of what takes it back', () => {
    expect(hits(vietnamese, 'Dang bai')).toEqual(['vi:dang']);
    expect(hits(vietnamese, 'đã xóa')).toEqual([]);
    expect(hits(vietnamese, 'da xoa')).toEqual(['vi:xoa']);
    expect(hits(vietnamese, 'Đá xóa')).toEqual(['vi:xoa']);
  });
});

describe('two languages', () => {
  const words = compiled(
    ['aa', { entries: [entry('enviar')], exceptions: [except('no enviar', { of: 'enviar' })] }],
    ['bb', { entries: [entry('enviar'), entry('gift', 'delete'), entry('firma', 'authorise')] }],
    ['cc', { entries: [entry('send')], harmless: [except('gift', {}), except('firma', {})] }],
  );

  it('keep their exceptions to themselves, also where they have the same word for the same act', () => {
    expect(hits(words, 'enviar')).toEqual(['bb:enviar', 'aa:enviar']);
    expect(hits(words, 'no enviar')).toEqual(['bb:enviar']);
    expect(hits(words, 'no enviar', 'cc')).toEqual(['bb:enviar']);
  });

  it('have in common what one of them borrowed from English word for word, and only that', () => {
    const borrowed = compiled(
      ['en', { entries: [entry('reset', 'reset')], exceptions: [except('reset zoom', { of: 'reset' })] }],
      ['nl', { entries: [entry('reset*', 'reset'), entry('reset', 'delete'), entry('zoom', 'send')] }],
    );
    expect(hits(borrowed, 'Reset')).toEqual(['nl:reset', 'nl:reset', 'en:reset']);
    expect(hits(borrowed, 'Reset zoom')).toEqual(['nl:reset', 'nl:zoom']);
  });

  it('leave it to the locale of the phone whose exception is heard', () => {
    expect(hits(words, 'no enviar', 'aa')).toEqual([]);
    expect(hits(words, 'no enviar', 'bb')).toEqual(['bb:enviar']);
  });

  it('collide to the side of caution while the locale is unknown', () => {
    expect(hits(words, 'gift')).toEqual(['bb:gift']);
  });

  it('are decided by the locale that knows the very words, and only those', () => {
    expect(hits(words, 'gift', 'cc')).toEqual([]);
    expect(hits(words, 'gift', 'aa')).toEqual(['bb:gift']);
    expect(hits(words, 'gift enviar', 'cc')).toEqual(['bb:enviar', 'aa:enviar']);
  });
});

describe('a word file that cannot be read', () => {
  const parse =
    (value: unknown, language = 'xx') =>
    () =>
      parseWordFile(JSON.stringify(value, null, 1), 'policies/words/xx.json', language);
  const good = { language: 'xx', name: 'Made here', entries: [entry('send')] };

  it.each([
    [
      'names the entry and the class it does not know',
      { ...good, entries: [entry('send'), entry('wave', 'greet')] },
      /xx\.json:12: entries\[1\]\.class \("wave"\): /u,
    ],
    [
      'names a field nobody knows',
      { ...good, entries: [entry('send', 'send', { at_: 'start' })] },
      /entries\[0\] \("send"\).*at_/u,
    ],
    [
      'names an exception without its entry',
      { ...good, exceptions: [except('not sent', { of: 'sent' })] },
      /xx\.json:12: exceptions\[0\] \("not sent"\): is "of" "sent"/u,
    ],
    [
      'names an exception that says of what twice',
      { ...good, exceptions: [except('x y', { of: 'send', of_class: 'send' })] },
      /either "of" or "of_class"/u,
    ],
    [
      'names an exception of a class without entry',
      { ...good, exceptions: [except('x y', { of_class: 'pay' })] },
      /class "pay"/u,
    ],
    [
      'names what is there twice',
      { ...good, entries: [entry('send'), entry('send')] },
      /xx\.json:10: entries\[1\] \("send"\): is there twice/u,
    ],
    ['says that the language is not the name', { ...good, language: 'yy' }, /"yy".*"xx"/u],
    [
      'says that there is no reason',
      { ...good, entries: [{ say: 'send', class: 'send', why: '' }] },
      /entries\[0\]\.why \("send"\)/u,
    ],
  ])('%s', (_, value, message) => {
    expect(parse(value)).toThrow(message);
  });

  it('says that it is not JSON', () => {
    expect(() => parseWordFile('{\n\n', 'policies/words/xx.json', 'xx')).toThrow(/xx\.json:3: not JSON/u);
  });

  it.each(['se*nd', '…', '* *', 'a…b', '-*', '# files'])('is told by its entry "%s"', (say) => {
    expect(() => compiled(['xx', { entries: [entry(say)] }])).toThrow(/xx\.json: entries\[0\] \(/u);
  });
});
