#include "CAudioShims.h"
