// SPDX-License-Identifier: GPL-3.0-or-later

// A C interface to libphonenumber, which is written in C++.

#include "CPhoneNumbers.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <phonenumbers/asyoutypeformatter.h>
#include <phonenumbers/phonenumber.pb.h>
#include <phonenumbers/phonenumberutil.h>
#include <phonenumbers/shortnumberinfo.h>
#include <unicode/coll.h>
#include <unicode/locid.h>

using i18n::phonenumbers::AsYouTypeFormatter;
using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;
using i18n::phonenumbers::ShortNumberInfo;

namespace {

bool isNumber(const char *number) {
  const size_t length = strnlen(number, CPHONENUMBERS_LONGEST_NUMBER + 1);
  const size_t prefix = number[0] == '+' ? 1 : 0;
  return length <= CPHONENUMBERS_LONGEST_NUMBER
      && strspn(number + prefix, "0123456789") == length - prefix;
}

bool isRegion(const char *region) {
  return strnlen(region, 3) == 2 && strspn(region, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 2;
}

// All calls share one formatter, which has state.
std::mutex formatting;

// Returns the formatter of a region. It keeps the last one, because a formatter compiles the patterns of its region.
AsYouTypeFormatter &formatterFor(const char *region) {
  static std::string current;
  static std::unique_ptr<AsYouTypeFormatter> formatter;
  if (!formatter || current != region) {
    formatter.reset(PhoneNumberUtil::GetInstance()->GetAsYouTypeFormatter(region));
    current = region;
  }
  formatter->Clear();
  return *formatter;
}

bool startsWith(const std::string &text, const std::string &start) {
  return !start.empty() && text.compare(0, start.size(), start) == 0;
}

bool endsWith(const std::string &text, const std::string &end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// Whether digits that were dialled are a complete number, and not one within a town, which only looks like one.
bool isComplete(const PhoneNumberUtil &util, const PhoneNumber &number, const char *region) {
  if (util.IsPossibleNumberWithReason(number) != PhoneNumberUtil::IS_POSSIBLE) return false;
  const std::string &dialled = number.raw_input();
  const bool isValid = util.IsValidNumber(number);
  std::string digits, prefix;
  util.GetNationalSignificantNumber(number, &digits);
  if (!isValid && !endsWith(dialled, digits)) return false;
  const auto source = number.country_code_source();
  if (source == PhoneNumber::FROM_NUMBER_WITH_PLUS_SIGN || source == PhoneNumber::FROM_NUMBER_WITH_IDD) return true;
  util.GetNddPrefixForRegion(region, true, &prefix);
  if (startsWith(dialled, prefix)) return true;
  // Numbers within a town have fewer than ten digits everywhere.
  if (dialled.size() >= 10 && isValid) return true;
  std::string national;
  util.Format(number, PhoneNumberUtil::NATIONAL, &national);
  util.NormalizeDigitsOnly(&national);
  if (national != dialled) return false;
  const auto type = util.GetNumberType(number);
  return dialled.size() >= 10 || type == PhoneNumberUtil::FIXED_LINE || type == PhoneNumberUtil::MOBILE
      || type == PhoneNumberUtil::FIXED_LINE_OR_MOBILE;
}

// The number as it is dialled within the region; empty where that takes the code of a carrier that is not in it.
std::string national(const PhoneNumberUtil &util, const PhoneNumber &number, const char *region) {
  std::string text;
  util.FormatNumberForMobileDialing(number, region, false, &text);
  if (text.empty()) return text;
  if (number.preferred_domestic_carrier_code().empty())
    util.FormatOutOfCountryCallingNumber(number, region, &text);
  else
    util.FormatNationalNumberWithPreferredCarrierCode(number, "", &text);
  util.NormalizeDiallableCharsOnly(&text);
  return text;
}

struct NamedRegion {
  std::string code;
  icu::UnicodeString name;
};

// The regions with the names that ICU has for them, in the order of a language.
std::vector<NamedRegion> namedRegions(const PhoneNumberUtil &util, const icu::Locale &language) {
  std::set<std::string> codes;
  util.GetSupportedRegions(&codes);
  std::vector<NamedRegion> regions;
  for (const std::string &code : codes) {
    if (!isRegion(code.c_str())) continue;
    NamedRegion region{code, {}};
    icu::Locale("", code.c_str()).getDisplayCountry(language, region.name);
    regions.push_back(region);
  }
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::Collator> collator(icu::Collator::createInstance(language, status));
  if (!collator || U_FAILURE(status)) return regions;
  std::sort(regions.begin(), regions.end(), [&](const NamedRegion &one, const NamedRegion &other) {
    UErrorCode ignored = U_ZERO_ERROR;
    return collator->compare(one.name, other.name, ignored) == UCOL_LESS;
  });
  return regions;
}

int copy(const std::string &text, char *room, size_t capacity) {
  if (text.size() >= capacity) return -1;
  memcpy(room, text.c_str(), text.size() + 1);
  return static_cast<int>(text.size());
}

}  // namespace

int cphonenumbers_format(const char *number, const char *region, char *text, size_t capacity) {
  if (!number || !region || !text || !isNumber(number) || !isRegion(region)) return -1;
  try {
    const std::lock_guard<std::mutex> alone(formatting);
    AsYouTypeFormatter &formatter = formatterFor(region);
    std::string formatted;
    for (; *number; number++) formatter.InputDigit(static_cast<unsigned char>(*number), &formatted);
    return copy(formatted, text, capacity);
  } catch (...) {
    return -1;
  }
}

int cphonenumbers_outgoing(
    const char *dialled, const char *region, int is_international, char *text, size_t capacity) {
  if (!dialled || !region || !text || !isNumber(dialled) || !isRegion(region)) return -1;
  try {
    const PhoneNumberUtil &util = *PhoneNumberUtil::GetInstance();
    PhoneNumber number;
    if (util.ParseAndKeepRawInput(dialled, region, &number) != PhoneNumberUtil::NO_PARSING_ERROR
        || !isComplete(util, number, region))
      return -1;
    std::string formatted;
    if (!is_international)
      formatted = national(util, number, region);
    else if (util.CanBeInternationallyDialled(number))
      util.Format(number, PhoneNumberUtil::E164, &formatted);
    return formatted.empty() ? -1 : copy(formatted, text, capacity);
  } catch (...) {
    return -1;
  }
}

int cphonenumbers_is_emergency(const char *number, const char *region) {
  if (!number || !region || !isNumber(number) || !isRegion(region)) return -1;
  try {
    // The library reads its data of short numbers for each object.
    static const ShortNumberInfo knowledge;
    return knowledge.IsEmergencyNumber(number, region) ? 1 : 0;
  } catch (...) {
    return -1;
  }
}

int cphonenumbers_version(char *text, size_t capacity) {
  if (!text) return -1;
  try {
    // The library has no function for it, but the name of its file ends with it.
    Dl_info library;
    char path[PATH_MAX];
    PhoneNumberUtil *(*const function)() = &PhoneNumberUtil::GetInstance;
    if (!dladdr(reinterpret_cast<const void *>(function), &library) || !realpath(library.dli_fname, path)) return -1;
    const char *version = strstr(path, "libphonenumber.so.");
    return version ? copy(version + strlen("libphonenumber.so."), text, capacity) : -1;
  } catch (...) {
    return -1;
  }
}

int cphonenumbers_regions(const char *language, char *text, size_t capacity) {
  constexpr size_t longest = 64;
  if (!language || !text || strnlen(language, longest) == longest) return -1;
  try {
    const PhoneNumberUtil &util = *PhoneNumberUtil::GetInstance();
    std::string lines;
    const icu::Locale reader = icu::Locale::createCanonical(*language ? language : "en");
    for (const NamedRegion &region : namedRegions(util, reader)) {
      lines += region.code + "\t" + std::to_string(util.GetCountryCodeForRegion(region.code)) + "\t";
      region.name.toUTF8String(lines);
      lines += "\n";
    }
    return copy(lines, text, capacity);
  } catch (...) {
    return -1;
  }
}
